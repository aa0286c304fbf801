-- Older Vietnamese texts write Đ as U+00D0, whose small letter is ð. Searches now find it as d, in what was stored before too.
update customers set search = replace(search, 'ð', 'd') where search like '%ð%';
update news set search = replace(search, 'ð', 'd') where search like '%ð%';
update orders set search = replace(search, 'ð', 'd') where search like '%ð%';
update products set search = replace(search, 'ð', 'd') where search like '%ð%';
update shops set search = replace(search, 'ð', 'd') where search like '%ð%';
update suppliers set search = replace(search, 'ð', 'd') where search like '%ð%';
update templates set search = replace(search, 'ð', 'd') where search like '%ð%';
