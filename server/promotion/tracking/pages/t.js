// The script that a store's pages include. It reads the click id from the URL, stores it if the visitor consents, and
// passes it to the checkout. Comments and indentation are removed before it is sent.
(() => {
  const me = document.currentScript;
  const key = 'trb_click';
  const form = /^[0-9a-f-]{36}$/;
  const query = new URLSearchParams(location.search);
  let click = form.test(query.get(key)) ? query.get(key) : '';
  let allowed = me.dataset.consent !== 'denied' && !navigator.globalPrivacyControl;
  const write = (value, age) => {
    const domain = me.dataset.domain ? `;domain=${me.dataset.domain}` : '';
    const secure = location.protocol === 'https:' ? ';secure' : '';
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not in every browser.
    document.cookie = `${key}=${value};path=/;max-age=${age};samesite=lax${domain}${secure}`;
    // Storage can be unavailable; then the cookie is enough.
    try {
      if (value) localStorage.setItem(key, value);
      else localStorage.removeItem(key);
    } catch {}
  };
  const recall = () => {
    const cookie = /(?:^|; )trb_click=([0-9a-f-]{36})/.exec(document.cookie);
    try {
      return cookie ? cookie[1] : localStorage.getItem(key) || '';
    } catch {
      return '';
    }
  };
  const clickId = () => click || (allowed ? recall() : '');
  // Hidden inputs named trb_click, and links marked data-trb-checkout.
  const handOver = () => {
    const id = clickId();
    if (!id) return;
    for (const input of document.querySelectorAll(`input[name=${key}]`)) input.value = id;
    for (const link of document.querySelectorAll('a[data-trb-checkout]')) {
      // Invalid links are ignored.
      try {
        const to = new URL(link.href);
        to.searchParams.set(key, id);
        link.href = to.href;
      } catch {}
    }
  };
  const keep = () => {
    if (click && allowed) write(click, 7776000);
    handOver();
  };
  const consent = (yes) => {
    allowed = yes;
    if (yes) keep();
    else write('', 0);
  };
  // A visitor who arrived with a referral code but no click id: report the click.
  const code = query.get('ref') || me.dataset.code;
  if (code && !clickId())
    fetch(new URL('/v1/clicks', me.src), {
      method: 'POST',
      keepalive: true,
      credentials: 'omit',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        referralCode: code,
        programId: me.dataset.program,
        referrer: document.referrer || undefined,
        // An ad marks the address of the page. Only the name of the parameter is sent; those that Google adds beside it are omitted.
        adParameter: /\b(gclid|[gw]braid|msclkid|yclid)=/.exec(query)?.[1],
        consent: allowed,
      }),
    })
      .then((answer) => answer.json())
      .then((recorded) => {
        click = recorded.clickId || '';
        keep();
      })
      .catch(() => {});
  keep();
  addEventListener('DOMContentLoaded', handOver);
  window.tributary = { clickId, consent, handOver };
})();
