-- The commissions that a move ended, and the move itself, were recorded at times that could differ by milliseconds, which
-- `verify` reports. A change of an order started after the one before it had ended, so the move is the next one.
update commissions as commission set moved_at = change.created_at
from order_changes as change
where commission.moved_at is not null and change.program_id = commission.program_id
  and change.id = (
    select next.id from order_changes as next
    where next.program_id = commission.program_id and next.conversion_id = commission.conversion_id and next.kind = 'moved'
      and next.created_at >= commission.moved_at
    order by next.created_at, next.id limit 1)
  and change.created_at <> commission.moved_at;
