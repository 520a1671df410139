-- An order and its summary were recorded at times that could differ by milliseconds, which `verify` reports.
update conversion_summaries as summary set created_at = conversion.created_at
from conversions as conversion
where conversion.program_id = summary.program_id and conversion.id = summary.id and conversion.created_at <> summary.created_at;
