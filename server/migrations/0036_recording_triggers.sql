-- The triggers that keep orders' timelines say what they do: they record events.
alter function tell_new_orders() rename to record_created_orders;
alter function tell_moved_order() rename to record_order_status;
alter function tell_new_payments() rename to record_payments;
alter trigger orders_told_insert on orders rename to orders_record_created;
alter trigger orders_told_update on orders rename to orders_record_status;
alter trigger gateway_payments_told_insert on gateway_payments rename to gateway_payments_record;
