-- The opening stock that a file of products brings (G-37): where it is booked, and how many SKUs got it or kept what they had.
alter table product_imports add column warehouse_id object_id,
  add column stocked integer not null default 0,
  add column stock_kept integer not null default 0;
