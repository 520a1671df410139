import { Status } from '../../ui/marks/status.tsx';

const marks = { good: ['approved', 'check'], neutral: ['neutral', 'minus'], bad: ['reversed', 'warning'] } as const;

/** The status of a response. 409 and 422 are neutral: the request was sent before, or there was nothing to do. */
export function HttpStatus({ value }: { value: number }) {
  const [tone, icon] = marks[value < 400 ? 'good' : value === 409 || value === 422 ? 'neutral' : 'bad'];
  return (
    <Status tone={tone} icon={icon}>
      {String(value)}
    </Status>
  );
}
