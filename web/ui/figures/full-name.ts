/** "Ada Lindqvist", or "Ada": last names are optional. */
export function fullName({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return `${firstName} ${lastName}`.trim();
}
