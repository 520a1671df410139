/** A link that proves control of the address it is emailed to. */
export type EmailedLink = { url: string; expiresAt: Date };
