-- A customer's birthday, which an audience may ask for (G-119). An empty column rewrites nothing.
alter table customers add column birthday date;
