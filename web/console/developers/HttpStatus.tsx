import { Status } from '../../ui/marks/status.tsx';

/** The status of a response. 409 and 422 are neutral: the request was sent before, or there was nothing to do. */
export function HttpStatus({ value }: { value: number }) {
  if (value < 400)
    return (
      <Status tone="approved" icon="check">
        {String(value)}
      </Status>
    );
  if (value === 409 || value === 422)
    return (
      <Status tone="neutral" icon="minus">
        {String(value)}
      </Status>
    );
  return (
    <Status tone="reversed" icon="warning">
      {String(value)}
    </Status>
  );
}
