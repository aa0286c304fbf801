-- What a piece of a sold line cost on average when it was sold, in đồng (G-38, decision 0038): read with the sale, never written
-- later. Null: no cost was known then, as for every order before this.
alter table order_items add column unit_cost bigint;
alter table order_items
  add constraint order_items_unit_cost_check check (unit_cost is null or unit_cost >= 0) not valid;
