// TABLE OF CONTENTS: everything the system can be asked over HTTP.
import { inviteAffiliate } from './affiliates/invite.ts';
import { listAffiliates } from './affiliates/list.ts';
import { updateAffiliate } from './affiliates/update.ts';
import { createProduct } from './catalogue/create.ts';
import { productFeed } from './catalogue/feed.ts';
import { getProduct } from './catalogue/get.ts';
import { importProducts } from './catalogue/import.ts';
import { listProducts } from './catalogue/list.ts';
import { updateProduct } from './catalogue/update.ts';
import { createRule } from './commission-rules/create.ts';
import { getRule } from './commission-rules/get.ts';
import { listRules } from './commission-rules/list.ts';
import { archiveRule, updateRule } from './commission-rules/update.ts';
import { reportConversion } from './conversions/report.ts';
import { createGroup } from './groups/create.ts';
import { listGroups } from './groups/list.ts';
import { updateGroup } from './groups/update.ts';
import type { AnyEndpoint } from './http/endpoint.ts';
import { getLandingPage } from './landing-pages/get.ts';
import { writeLandingPage } from './landing-pages/write.ts';
import { readProgram } from './programs/get.ts';
import { getMe } from './programs/me.ts';
import { updateProgram } from './programs/update.ts';

export const api: readonly AnyEndpoint[] = [
  getMe,
  readProgram,
  updateProgram,

  listAffiliates,
  inviteAffiliate,
  updateAffiliate,

  getLandingPage,
  writeLandingPage,

  listGroups,
  createGroup,
  updateGroup,

  listProducts,
  createProduct,
  importProducts,
  productFeed,
  getProduct,
  updateProduct,

  listRules,
  createRule,
  getRule,
  updateRule,
  archiveRule,

  reportConversion,
];
