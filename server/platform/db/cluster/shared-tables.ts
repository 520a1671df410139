// Which tables a cluster stores on every node. It distributes all others by program.

/** Tables that are read before the program is known: people, and what identifies a program. */
export const referenceTables: ReadonlySet<string> = new Set([
  'organizations',
  'users',
  'first_user',
  'sessions',
  'email_request_counts',
  'email_verifications',
  'passkeys',
  'passkey_challenges',
  'second_factors',
  'recovery_codes',
  'organization_members',
  'single_sign_on_connections',
  'single_sign_on_domains',
  'single_sign_on_identities',
  'single_sign_on_attempts',
  'user_preferences',
  'programs',
  'api_key_hashes',
  'person_programs',
  'referral_codes',
  'bare_links',
  'bare_pages',
  'tracking_salts',
  'provider_addresses',
  'media_addresses',
  'program_hosts',
  'service_freeze',
  'untrusted_proxies',
  'deleted_programs',
  'person_erasures',
]);

/** Tables about the coordinator itself, which stay on it. */
export const coordinatorTables: ReadonlySet<string> = new Set(['migrations', 'database_heartbeats', 'database_identities', 'shard_nodes']);
