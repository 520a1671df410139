// A passkey of a user, as it is shown, and the shapes that browsers send.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { Passkeys } from '../../../platform/db/schema.gen.ts';
import type { DeclaredError, Slot } from '../../../platform/http/declaration/endpoint.ts';
import { line, timestampOut, uuid, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { InvalidState } from '../../../platform/lib/errors.ts';

const exampleId = '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f';

export const examplePasskey = { id: exampleId, name: 'Chrome, macOS', createdAt: '2026-11-02T09:30:00.000Z', lastUsedAt: null };

export const PasskeyShape = z
  .object({
    id: uuidOut,
    name: z.string(),
    createdAt: timestampOut,
    lastUsedAt: timestampOut.nullable(),
  })
  .meta({ id: 'Passkey', example: examplePasskey });

export function toPasskey({ id, name, createdAt, lastUsedAt }: Selectable<Passkeys>): z.input<typeof PasskeyShape> {
  return { id, name, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null };
}

export const passkeyName = line(60).describe('To recognize it in the list.');

const base64url = z
  .string()
  .max(20_000)
  .regex(/^[\w-]*$/, 'must be base64url');

/** What the browser returns when it creates a passkey. */
export const RegistrationResponse = z
  .object({
    id: base64url,
    rawId: base64url,
    type: z.literal('public-key'),
    response: z
      .object({
        clientDataJSON: base64url,
        attestationObject: base64url,
        transports: z.array(z.string().max(30)).max(10).optional(),
      })
      .describe('The response of the authenticator, as in WebAuthn.'),
    authenticatorAttachment: z.string().max(30).nullish(),
    clientExtensionResults: z.looseObject({}).optional(),
  })
  .meta({ id: 'PasskeyRegistrationResponse' });

/** What the browser returns when a passkey signs a challenge. */
export const AuthenticationResponse = z
  .object({
    id: base64url,
    rawId: base64url,
    type: z.literal('public-key'),
    response: z
      .object({
        clientDataJSON: base64url,
        authenticatorData: base64url,
        signature: base64url,
        userHandle: base64url.nullish(),
      })
      .describe('The response of the authenticator, as in WebAuthn.'),
    authenticatorAttachment: z.string().max(30).nullish(),
    clientExtensionResults: z.looseObject({}).optional(),
  })
  .meta({ id: 'PasskeyAuthenticationResponse' });

/** Options for the browser, as the WebAuthn standard defines them. */
export const PasskeyOptions = z
  .object({ options: z.looseObject({}).describe('Pass it to the browser: PublicKeyCredential.parse…OptionsFromJSON.') })
  .meta({
    id: 'PasskeyOptions',
    example: { options: { challenge: 'sVqWqk0xg3kPZ8mW0bR1v0xKQm1lYpFQ4u4cU9v2m1o', rpId: 'affiliates.example' } },
  });

export const passkeysUnavailable: DeclaredError = {
  status: 400,
  code: 'passkeys_unavailable',
  when: 'Passkeys need HTTPS and a domain name (PUBLIC_URL), or localhost.',
};

export const passkeyRejected: DeclaredError = {
  status: 400,
  code: 'passkey_rejected',
  when: 'The passkey is unknown, its signature is invalid, or the challenge has expired or was used before.',
};

export const unavailable = () =>
  new InvalidState(passkeysUnavailable.code, 'Passkeys need HTTPS and a domain name. Set PUBLIC_URL, or open this service as localhost.');

export const rejected = () => new InvalidState(passkeyRejected.code, 'This passkey could not be verified. Try again.');

/** The id of a passkey of the signed-in user. */
export const passkeySlot: Slot = {
  schema: uuid,
  meaning: 'The id of the passkey.',
  example: exampleId,
  async exists(ctx: Context, userId, id) {
    const row = await ctx.db.selectFrom('passkeys').select('id').where('userId', '=', userId).where('id', '=', id).executeTakeFirst();
    return row !== undefined;
  },
};
