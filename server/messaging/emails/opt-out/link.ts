// The link in an email by which its recipient opts out. It is created when the email is sent: the stored email has a
// placeholder in its place, so that members who read the mailbox can't opt a recipient out.

/** The address in a template that is replaced when the email is sent. `.invalid` never resolves (RFC 2606). */
export const unsubscribeLink = 'https://unsubscribe-hidden.invalid/';
