-- Names are searched without accents: `angstrom` finds Ångström. The search texts were stored without case only.

update affiliates set search = translate(replace(replace(replace(replace(normalize(regexp_replace(normalize(search, NFD),
  '[\u0300-\u036f]', '', 'g'), NFC), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'øłđðħı', 'olddhi')
where search ~ '[^\x01-\x7f]';

update products set search = translate(replace(replace(replace(replace(normalize(regexp_replace(normalize(search, NFD),
  '[\u0300-\u036f]', '', 'g'), NFC), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'øłđðħı', 'olddhi')
where search ~ '[^\x01-\x7f]';

update commission_rules set search = translate(replace(replace(replace(replace(normalize(regexp_replace(normalize(search, NFD),
  '[\u0300-\u036f]', '', 'g'), NFC), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'øłđðħı', 'olddhi')
where search ~ '[^\x01-\x7f]';
