-- Finding coupons, products and landing pages by a part of their code, name or slug.

create index coupons_search on coupons using gin (code_key gin_trgm_ops);
create index products_search on products using gin (search gin_trgm_ops);
create index landing_pages_search on landing_pages using gin (slug gin_trgm_ops);
