// The referral widget: <tributary-widget token="…"></tributary-widget> shows the link of an affiliate and what it earned.
// No cookies and no storage. Comments and indentation are removed before it is sent.
(() => {
  const service = new URL(document.currentScript.src).origin;
  const texts = {
    en: {
      label: 'Referral program',
      link: 'Your link',
      copy: 'Copy',
      copied: 'Copied',
      unpaid: 'Unpaid',
      paid: 'Paid',
      clicks: 'Clicks',
      portal: 'Open the portal',
      loading: 'Loading…',
      retry: 'Try again',
      problem: "We couldn't load your link. Reload the page to try again.",
      embed_token_used: 'This view was opened before. Reload the page to open it again.',
      embed_token_expired: 'This view has expired. Reload the page to open it again.',
    },
    de: {
      label: 'Empfehlungsprogramm',
      link: 'Dein Link',
      copy: 'Kopieren',
      copied: 'Kopiert',
      unpaid: 'Noch nicht ausgezahlt',
      paid: 'Ausgezahlt',
      clicks: 'Klicks',
      portal: 'Portal öffnen',
      loading: 'Wird geladen …',
      retry: 'Erneut versuchen',
      problem: 'Dein Link konnte nicht geladen werden. Lade die Seite neu.',
      embed_token_used: 'Diese Ansicht wurde schon geöffnet. Lade die Seite neu.',
      embed_token_expired: 'Diese Ansicht ist abgelaufen. Lade die Seite neu.',
    },
  };
  const style = `
    :host { display: block; color-scheme: light dark; container-type: inline-size }
    :host([hidden]) { display: none }
    * { box-sizing: border-box; margin: 0; font: inherit; color: inherit }
    section {
      --surface: light-dark(#ffffff, #11201d); --ink: light-dark(#11211e, #e7f0ed); --soft: light-dark(#44554f, #b2c4be);
      --line: light-dark(#dbe2dd, #26403a); --edge: light-dark(#7f908a, #688780);
      display: grid; gap: 16px; padding: 20px; border: 1px solid var(--line); border-radius: calc(var(--radius) * 1.5);
      background: var(--surface); color: var(--ink); font: 16px/24px var(--font)
    }
    h2 { font-weight: 600 }
    .row { display: flex; flex-wrap: wrap; gap: 8px }
    input {
      flex: 1 1 180px; min-width: 0; height: 44px; padding: 0 12px; border: 1px solid var(--edge); border-radius: var(--radius);
      background: transparent; text-overflow: ellipsis
    }
    button {
      min-height: 44px; padding: 0 18px; border: 0; border-radius: var(--radius); background: var(--accent); color: var(--on);
      font-weight: 600; cursor: pointer
    }
    :focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
    dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(110px, 1fr)); gap: 12px }
    dt { color: var(--soft); font-size: 14px; line-height: 20px }
    dd { font-size: 20px; line-height: 28px; font-weight: 600; font-variant-numeric: tabular-nums; overflow-wrap: anywhere }
    a { color: var(--link); justify-self: start; line-height: 28px }
    .status { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }`;
  const portalColors = {
    light: { background: '#0a6560', text: '#ffffff', ink: '#0a6560' },
    dark: { background: '#5cc8b6', text: '#05201c', ink: '#5cc8b6' },
  };
  const plain = { accent: null, radius: null, scheme: 'auto', fontFamily: null };

  const make = (name, attributes, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };

  class Widget extends HTMLElement {
    static observedAttributes = ['token'];
    #root = this.attachShadow({ mode: 'open' });
    #opened;

    connectedCallback() {
      this.#open();
    }

    attributeChangedCallback() {
      if (this.isConnected) this.#open();
    }

    // A token is valid once, so an element that is moved doesn't use it again.
    #open() {
      const token = this.getAttribute('token');
      if (token === this.#opened) return;
      this.#opened = token;
      this.#paint(plain);
      this.#show(make('p', { role: 'status' }, this.#text('loading')));
      if (token !== null) void this.#load(token);
      else if (this.hasAttribute('token-url')) void this.#loadNew();
    }

    // The page's own server creates a new token, for the user who is signed in there.
    async #loadNew() {
      try {
        const response = await fetch(this.getAttribute('token-url'), { method: 'POST', headers: { accept: 'application/json' } });
        const { token } = await response.json();
        await this.#load(token);
      } catch {
        this.#fail('problem');
      }
    }

    async #load(token) {
      try {
        // The token begins with the id of its program.
        const bytes = atob(/^trb_embed_([\w-]{22})/.exec(token)[1].replace(/-/g, '+').replace(/_/g, '/'));
        const digits = Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
        const program = digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
        const response = await fetch(`${service}/embed/${program}/widget`, {
          method: 'POST',
          credentials: 'omit',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ token, theme: this.#theme(), locale: this.getAttribute('locale') }),
        });
        const answer = await response.json();
        if (!response.ok) return this.#fail(answer.code, answer);
        this.#paint(answer.look);
        this.#render(answer);
      } catch {
        this.#fail('problem');
      }
    }

    #theme() {
      const names = { accent: 'accent', radius: 'radius', scheme: 'scheme', fontFamily: 'font-family' };
      const given = Object.entries(names).filter(([, name]) => this.hasAttribute(name));
      return Object.fromEntries(
        given.map(([key, name]) => [key, key === 'radius' ? Number(this.getAttribute(name)) : this.getAttribute(name)]),
      );
    }

    #language(chosen) {
      const wanted = chosen || this.getAttribute('locale') || document.documentElement.lang || navigator.language;
      return /^de\b/i.test(wanted) ? 'de' : 'en';
    }

    #text(name) {
      const own = texts[this.lang in texts ? this.lang : this.#language()];
      return own[name] || own.problem;
    }

    // A constructed style sheet is allowed by content security policies that forbid inline styles.
    #paint({ accent, radius, scheme, fontFamily }) {
      const { light, dark } = accent || portalColors;
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(`${style}
        :host {
          ${scheme === 'auto' ? '' : `color-scheme: ${scheme};`}
          --accent: light-dark(${light.background}, ${dark.background}); --on: light-dark(${light.text}, ${dark.text});
          --link: light-dark(${light.ink}, ${dark.ink}); --radius: ${radius === null ? 8 : radius}px; --font: ${fontFamily || 'system-ui, sans-serif'}
        }`);
      this.#root.adoptedStyleSheets = [sheet];
    }

    #show(...content) {
      this.#root.replaceChildren(make('section', { 'aria-label': this.#text('label') }, ...content));
    }

    #render({ locale, currency, linkUrl, portalUrl, unpaidCents, paidCents, clicks }) {
      this.lang = this.#language(locale);
      const format = new Intl.NumberFormat(this.lang, { style: 'currency', currency });
      const money = (cents) => format.format(cents / 10 ** format.resolvedOptions().maximumFractionDigits);
      const figure = (name, value) => make('div', {}, make('dt', {}, this.#text(name)), make('dd', {}, value));
      const status = make('p', { role: 'status', class: 'status' });
      const field = make('input', { readonly: '', value: linkUrl, 'aria-label': this.#text('link') });
      const button = make('button', { type: 'button' }, this.#text('copy'));
      button.addEventListener('click', async () => {
        await navigator.clipboard.writeText(linkUrl).catch(() => {
          field.select();
          document.execCommand('copy');
        });
        button.textContent = status.textContent = this.#text('copied');
        setTimeout(() => {
          button.textContent = this.#text('copy');
          status.textContent = '';
        }, 2000);
      });
      this.#show(
        make('h2', {}, this.#text('link')),
        make('div', { class: 'row' }, field, button),
        make(
          'dl',
          {},
          figure('unpaid', money(unpaidCents)),
          figure('paid', money(paidCents)),
          figure('clicks', clicks.toLocaleString(this.lang)),
        ),
        make('a', { href: portalUrl, target: '_blank', rel: 'noopener' }, this.#text('portal')),
        status,
      );
      this.dispatchEvent(new CustomEvent('tributary-open', { bubbles: true }));
    }

    // The event has the code and the details for developers; the page can put another token into the attribute.
    #fail(code, answer = {}) {
      const content = [make('p', { role: 'alert' }, this.#text(code))];
      if (this.hasAttribute('token-url')) {
        const button = make('button', { type: 'button' }, this.#text('retry'));
        button.addEventListener('click', () => this.#loadNew());
        content.push(make('div', {}, button));
      }
      this.#show(...content);
      if (answer.details) console.error('tributary-widget:', answer.error, answer.details);
      this.dispatchEvent(new CustomEvent('tributary-error', { bubbles: true, detail: { code, ...answer } }));
    }
  }
  if (!customElements.get('tributary-widget')) customElements.define('tributary-widget', Widget);
})();
