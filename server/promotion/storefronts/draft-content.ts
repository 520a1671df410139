import type { Context } from '../../context.ts';
import { PageLink } from '../landing-pages/content.ts';
import { type DraftKey, readDraft } from '../landing-pages/drafts/draft.ts';
import type { StorefrontContent } from './load.ts';

/** The draft in the form of a revision. Links that are still being typed are left out. */
export async function readDraftContent(ctx: Pick<Context, 'db'>, key: DraftKey): Promise<{ slug: string; content: StorefrontContent }> {
  const { slug, links, ...content } = (await readDraft(ctx, key)).content;
  const complete = links.filter((link) => PageLink.safeParse(link).success);
  return { slug, content: { ...content, links: complete } };
}
