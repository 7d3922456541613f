/**
 * The script of a zone's snippet (`GET /ads.js`), which runs on pages of other sites. It fills the zones of the page, tells when an ad was
 * seen, and leaves clicks to the ad's link.
 *
 * - Ads are made of elements and texts, never parsed as HTML. An ad that is HTML gets a frame without access to the page.
 * - An ad was seen when at least half of it was in view for a second without interruption; of an ad larger than the window, half of what
 *   the window can show at once. The server says how large the ad is, so that neither a box of a pixel nor a hidden one counts. A receipt
 *   counts once, so that the message may be repeated.
 * - The visitor's id is kept in the storage of the page's origin. With Do Not Track or Global Privacy Control, none is kept or sent, and one
 *   that was kept is removed, with its profile.
 * - The label says why this ad is shown when it is opened, by mouse, touch or keyboard.
 * - A preview in the dashboard looks the same (`web/src/ads/parts/ad-preview.tsx`).
 * - Styles are set through the object model, which content security policies allow.
 */
export const PAGE_SCRIPT = `(function (script) {
  if (!script || !window.IntersectionObserver) return;
  var KEY = 'sextant-ads-visitor';
  var SEEN_PART = 0.5, SEEN_MS = 1000, LOOK_MS = 250, STEPS = 20, RETRY_MS = 1000, REPEATS = 3, KEYWORDS_MAX = 50, KEYWORD_LENGTH_MAX = 50;
  var FLAT_FROM = 3, HEADLINE_HEIGHT = 30, LINE_HEIGHT = 19, PRICE_HEIGHT = 23;
  var site = script.getAttribute('data-site');
  var decideUrl = new URL('ads/decide', script.src).href;
  var isPrivate = navigator.doNotTrack === '1' || navigator.globalPrivacyControl === true;
  var visitor = null;
  try {
    visitor = localStorage.getItem(KEY);
    if (isPrivate) localStorage.removeItem(KEY);
  } catch (_refused) {}
  if (isPrivate) forget();

  function forget() {
    var url = new URL('ads/forget', script.src).href;
    if (visitor) fetch(url, { method: 'POST', body: visitor, keepalive: true, credentials: 'omit' }).catch(function () {});
    visitor = null;
  }

  function remember(id) {
    if (isPrivate || !id) return;
    visitor = id;
    try { localStorage.setItem(KEY, id); } catch (_refused) {}
  }

  function element(name, style, properties) {
    var made = Object.assign(document.createElement(name), properties);
    Object.assign(made.style, style);
    return made;
  }

  // A longer one is nobody's, and would make the message too long.
  function isKeyword(word) { return word.length > 0 && word.length <= KEYWORD_LENGTH_MAX; }

  function fill(zone) {
    var words = (zone.getAttribute('data-keywords') || '').split(',').map(function (word) { return word.trim(); });
    var question = {
      site: site,
      zone: zone.getAttribute('data-zone'),
      visitor: visitor,
      keywords: words.filter(isKeyword).slice(0, KEYWORDS_MAX),
    };
    return fetch(decideUrl, { method: 'POST', body: JSON.stringify(question), credentials: 'omit' })
      .then(function (answer) { return answer.ok ? answer.json() : null; })
      .then(function (decision) {
        if (!decision) return;
        remember(decision.visitor);
        if (decision.ads[0]) show(zone, decision.ads[0]);
      })
      .catch(function () {});
  }

  function show(zone, ad) {
    var size = (zone.getAttribute('data-size') || '').split('x');
    if (size[1]) Object.assign(zone.style, { width: size[0] + 'px', height: size[1] + 'px', maxWidth: '100%' });
    var box = element('div', { position: 'relative', width: '100%', height: '100%', overflow: 'hidden' });
    var content = ad.frameUrl ? frameOf(ad) : linkOf(ad, zone.clientWidth, zone.clientHeight);
    var picture = content.querySelector('img');
    var watched = function () { watch(box, ad); };
    var loading = ad.frameUrl ? content : picture;
    if (loading) loading.addEventListener('load', watched, { once: true });
    else watched();
    box.append(content, labelOf(ad));
    zone.replaceChildren(box);
  }

  // Opens upwards, over the ad. Its line is high enough for a finger. Light or dark as the page is.
  function labelOf(ad) {
    var label = element('details', {
      position: 'absolute', right: '0', bottom: '0', maxWidth: '100%', maxHeight: '100%', overflow: 'auto', boxSizing: 'border-box',
      padding: '0 6px', font: '11px/24px sans-serif', color: 'CanvasText', background: 'Canvas', textAlign: 'start',
    });
    var summary = element('summary', { cursor: 'pointer' });
    summary.append(element('small', { fontSize: '11px' }, { textContent: 'Ad \\u00b7 ' + ad.advertiser }));
    var why = element('p', { margin: '0', paddingBottom: '6px', lineHeight: '1.35' }, { textContent: ad.why });
    label.append(summary, why);
    return label;
  }

  function frameOf(ad) {
    var frame = element('iframe', { width: '100%', height: '100%', border: '0' }, { title: 'Ad of ' + ad.advertiser });
    frame.setAttribute('sandbox', 'allow-scripts allow-popups allow-popups-to-escape-sandbox');
    frame.setAttribute('referrerpolicy', 'no-referrer');
    frame.src = ad.frameUrl;
    return frame;
  }

  // How many lines of text there is room for below a headline of one line, and above a price: that goes before the text.
  function linesIn(height, price) {
    var lines = Math.floor((height - HEADLINE_HEIGHT - (price ? PRICE_HEIGHT : 0)) / LINE_HEIGHT);
    return Math.max(price ? 0 : 1, lines);
  }

  function clamped(lines) {
    return { display: '-webkit-box', webkitBoxOrient: 'vertical', overflow: 'hidden', webkitLineClamp: lines };
  }

  // In a flat zone, the picture is beside the words. Words alone have an edge, so that the ad ends somewhere.
  function linkOf(ad, width, height) {
    var isFlat = width >= FLAT_FROM * height, lines = isFlat ? linesIn(height, ad.price) : Infinity;
    var link = element('a', {
      display: 'flex', flexDirection: isFlat ? 'row' : 'column', width: '100%', height: '100%', boxSizing: 'border-box',
      fontSize: '14px', lineHeight: '1.35', overflowWrap: 'anywhere', color: 'inherit', textDecoration: 'none',
    }, { href: ad.clickUrl, target: '_blank', rel: 'noopener nofollow sponsored' });
    var isAlone = !ad.headline && !ad.text && !ad.price;
    if (ad.imageUrl) {
      var beside = isFlat && !isAlone;
      link.append(element('img', {
        display: 'block', flex: beside ? '0 0 40%' : '1 1 0', minWidth: '0', minHeight: '0',
        width: beside ? '40%' : '100%', height: beside ? '100%' : 'auto', objectFit: 'contain',
      }, { src: ad.imageUrl, alt: ad.headline ? '' : 'Ad of ' + ad.advertiser }));
    }
    if (isAlone) return link;
    if (!ad.imageUrl) link.style.boxShadow = 'inset 0 0 0 1px color-mix(in srgb, currentColor 25%, transparent)';
    var words = element('span', {
      display: 'grid', alignContent: 'safe center', gap: '4px', flex: ad.imageUrl && !isFlat ? '0 1 auto' : '1 1 0',
      minWidth: '0', boxSizing: 'border-box', padding: isFlat ? '2px 14px' : '8px 14px 22px', textAlign: 'start',
    });
    if (ad.headline)
      words.append(element('strong', { fontSize: '16px', textDecoration: 'underline' }, { textContent: ad.headline }));
    if (ad.text && lines > 0) words.append(element('span', isFlat ? clamped(lines) : {}, { textContent: ad.text }));
    if (ad.price) words.append(element('span', { fontWeight: 'bold' }, { textContent: priceOf(ad.price) }));
    link.append(words);
    return link;
  }

  // In the language of the page.
  function priceOf(price) {
    var format = new Intl.NumberFormat(document.documentElement.lang || undefined, { style: 'currency', currency: price.currency });
    return format.format(price.amount / Math.pow(10, format.resolvedOptions().maximumFractionDigits));
  }

  // The part of the ad that must be in view, in square pixels. A frame may be of any size, so there the screen stands for the window.
  function neededOf(ad) {
    var size = ad.size.split('x'), isFrame = window !== window.top;
    var width = isFrame ? screen.width : innerWidth, height = isFrame ? screen.height : innerHeight;
    return SEEN_PART * Math.min(size[0], width) * Math.min(size[1], height);
  }

  function watch(box, ad) {
    var part = 0, since = Infinity, timer = 0;
    function isInView() {
      if (document.visibilityState !== 'visible') return false;
      if (box.checkVisibility && !box.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
      var rect = box.getBoundingClientRect();
      return part * rect.width * rect.height >= neededOf(ad);
    }
    // Again and again while it is there, because nothing tells when a menu around it opens or closes.
    function look() {
      clearTimeout(timer);
      since = isInView() ? Math.min(since, performance.now()) : Infinity;
      if (performance.now() - since >= SEEN_MS) count();
      else if (part > 0 && document.visibilityState === 'visible') timer = setTimeout(look, LOOK_MS);
    }
    function count() {
      observer.disconnect();
      document.removeEventListener('visibilitychange', look);
      send(ad.impressionUrl, REPEATS);
    }
    var observer = new IntersectionObserver(function (entries) {
      part = entries[entries.length - 1].intersectionRatio;
      look();
    }, { threshold: Array.from({ length: STEPS + 1 }, function (_, step) { return step / STEPS; }) });
    observer.observe(box);
    document.addEventListener('visibilitychange', look);
  }

  function send(url, repeats) {
    fetch(url, { keepalive: true, credentials: 'omit' })
      .then(function (answer) { if (answer.status === 429 || answer.status >= 500) throw new Error('busy'); })
      .catch(function () {
        var ms = RETRY_MS * Math.pow(2, REPEATS - repeats) * (1 + Math.random());
        if (repeats > 0) setTimeout(send, ms, url, repeats - 1);
      });
  }

  var zones = Array.from(document.querySelectorAll('[data-zone]:not([data-asked])'));
  zones.forEach(function (zone) { zone.setAttribute('data-asked', ''); });
  // A new visitor's zones are filled one after the other until there is an id, so that all of them use the same one.
  (function next() {
    if (zones.length === 0) return;
    if (visitor || isPrivate) zones.forEach(fill);
    else fill(zones.shift()).then(next);
  })();
})(document.currentScript);
`;
