-- VAT rates have at most two decimals (G-42): kept in basis points, hundredths of a percent.
alter table products drop constraint products_vat_check;
alter table products alter column vat type integer using vat * 100;
alter table products rename column vat to vat_basis_points;
alter table products add constraint products_vat_basis_points_check check (vat_basis_points between 0 and 10000);

alter table order_items drop constraint order_items_vat_check;
alter table order_items alter column vat type integer using vat * 100;
alter table order_items rename column vat to vat_basis_points;
alter table order_items
  add constraint order_items_vat_basis_points_check check (vat_basis_points between 0 and 10000);
