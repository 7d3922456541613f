/**
 * Takes the pictures in docs/pictures: starts a server with an empty embedded database, fills it with sample data and more, and opens its pages.
 * The project must be built, and Chromium installed. Usage: npm run pictures [-- DOMAIN…]
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import {
  accessLog,
  characters,
  circle,
  comments,
  invitations,
  MONTH_MINUTES,
  people,
  posts,
  visitors,
} from './example-data.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pictures = join(root, 'docs/pictures');
const SITE = 'field-notes.example';
const EMAIL = `marta@${SITE}`;
const PASSWORD = randomBytes(16).toString('hex');
const PORT = '4817';
const url = `http://127.0.0.1:${PORT}`;
const DAY_MS = 86_400_000;
const SIZE = { width: 1280, height: 940 };
const browsers = ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium', chromium.executablePath()];

const folder = await mkdtemp(join(tmpdir(), 'sextant-pictures-'));
const env = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  DATA_DIR: join(folder, 'data'),
  PORT,
  ADMIN_EMAIL: EMAIL,
  ADMIN_PASSWORD: PASSWORD,
  SIGN_UP: 'open',
};
const server = spawn(process.execPath, ['dist/process/main.js'], {
  cwd: root,
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ready = new Promise((resolve) =>
  server.stdout.on('data', (output) => String(output).includes('Sextant is ready') && resolve()),
);
const ended = new Promise((resolve) => server.once('exit', resolve));

const all = ['analytics', 'people', 'commerce', 'content', 'comments', 'social', 'game'];
/** Only the pictures of these domains. */
const chosen = process.argv.length > 2 ? process.argv.slice(2) : all;
if (!chosen.every((name) => all.includes(name))) throw new Error(`These can be named: ${all.join(', ')}`);
let token = null;

/** @param as whose token. Null for a visitor */
async function ask(query, variables = {}, as = token) {
  const authorization = as && { authorization: `Bearer ${as}` };
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...authorization },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

function sextant(...parameters) {
  const command = spawn(process.execPath, ['dist/cli/main.js', ...parameters], { cwd: root, env, stdio: 'ignore' });
  return new Promise((resolve, reject) => {
    command.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`sextant ${parameters[0]}: ${code}`))));
  });
}

async function write(name, text) {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

/** @returns an access token */
async function signIn(mailbox) {
  const { signIn: answer } = await ask(
    'mutation ($email: EmailAddress!, $password: String!) { signIn(email: $email, password: $password) { ... on SignedIn { accessToken } } }',
    { email: `${mailbox}@${SITE}`, password: PASSWORD },
  );
  return answer.accessToken;
}

async function fillPeople() {
  await ask('mutation { changeName(name: "Marta Lindqvist") { __typename } }');
  for (const [name, mailbox, roles] of people) {
    const input = { email: `${mailbox}@${SITE}`, password: PASSWORD, name };
    const { signUp } = await ask(
      'mutation ($input: SignUpInput!) { signUp(input: $input) { ... on SignedIn { viewer { id } } } }',
      { input },
    );
    for (const role of roles)
      await ask('mutation ($userId: ID!, $role: Role!) { grantRole(userId: $userId, role: $role) { __typename } }', {
        userId: signUp.viewer.id,
        role,
      });
  }
  for (const [mailbox, roles] of invitations)
    await ask('mutation ($input: InviteInput!) { invite(input: $input) { __typename } }', {
      input: { email: `${mailbox}@${SITE}`, roles },
    });
}

/** Sends hits while the pictures are taken. */
function sendHits() {
  const send = () =>
    fetch(`${url}/hit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: `https://${SITE}` },
      body: JSON.stringify({ site: SITE, page: '/' }),
    }).catch(() => undefined);
  const timer = setInterval(send, 900);
  return () => clearInterval(timer);
}

async function openSignedIn(browser, colorScheme) {
  const page = await browser.newPage({ viewport: SIZE, colorScheme, locale: 'en-US', timezoneId: 'UTC' });
  await page.goto(url);
  await page.getByLabel('Email').fill(EMAIL);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Live').first().waitFor();
  return page;
}

/** The beginning of a day in UTC. */
const dayBefore = (days) => `${new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)}T00:00Z`;

/** PNG for the dashboard, with few colors; WebP for pages with pictures, of a fraction of the size. */
async function take(page, name, format = 'png') {
  const picture = sharp(await page.screenshot());
  const path = join(pictures, `${name}.${format}`);
  if (format === 'webp') await picture.webp({ quality: 84 }).toFile(path);
  else await picture.png({ palette: true, quality: 90, effort: 10 }).toFile(path);
}

async function takeTraffic(page, span, name) {
  await page.goto(`${url}/?site=${SITE}&page=/&${span}`);
  await page.getByText('/notes/tides').waitFor();
  await page.getByText('Importing').waitFor();
  await page.getByText('Drag to select a range').waitFor();
  await page.mouse.move(880, 330); // the tooltip of a point in the middle
  await page.getByText(/^Live/).first().waitFor();
  await take(page, name);
}

/** After a busy hour, while a log is imported. */
async function takeAnalytics({ light, dark }) {
  const busy = accessLog(Date.now(), 60, 3, 10);
  await sextant('import-log', '--site', SITE, await write('access-last-hour.log', busy));
  const before = accessLog(Date.now() - 30 * DAY_MS, 3 * MONTH_MINUTES, 2);
  const importing = sextant('import-log', '--site', SITE, await write('access-2026-09.log', before));
  await takeTraffic(light, 'last=PT1H', 'traffic');
  await takeTraffic(dark, `from=${dayBefore(7)}&to=${dayBefore(0)}&unit=HOUR`, 'traffic-dark');
  await importing;
}

async function takeContent({ light, dark }) {
  await light.goto(`${url}/blog`);
  await light.getByText('Sextants and stars').waitFor();
  await loadPictures(light);
  await take(light, 'blog', 'webp');
  await light.goto(`${url}/blog/sextants-and-stars`);
  await loadPictures(light);
  await take(light, 'post', 'webp');
  await dark.goto(`${url}/content/edit?path=/blog/tides`);
  await dark.getByLabel('Text in Markdown').waitFor();
  await dark.getByRole('cell', { name: '12/12' }).waitFor();
  await dark.waitForLoadState('networkidle');
  await take(dark, 'editor', 'webp');
}

async function postComment(variables, as) {
  const { postComment: posted } = await ask(
    `mutation ($nodeId: ID!, $text: String!, $replyTo: ID, $authorName: String) {
      postComment(nodeId: $nodeId, text: $text, replyTo: $replyTo, authorName: $authorName) { ... on Comment { id } }
    }`,
    variables,
    as,
  );
  return posted.id;
}

/** A discussion below a post, of which a comment is reported, and another one waits. */
async function takeComments({ light }) {
  const path = '/blog/sextants-and-stars';
  const { nodeByPath } = await ask('query ($path: String!) { nodeByPath(path: $path) { ... on Node { id } } }', {
    path,
  });
  const nodeId = nodeByPath.id;
  await ask('mutation ($nodeId: ID!) { changeCommentPolicy(nodeId: $nodeId, policy: EVERYBODY) { id } }', { nodeId });
  const ids = [];
  for (const [mailbox, above, text] of comments)
    ids.push(await postComment({ nodeId, text, replyTo: above === null ? null : ids[above] }, await signIn(mailbox)));
  for (const [authorName, text] of visitors) await postComment({ nodeId, text, authorName }, null);
  await ask('mutation ($id: ID!) { reportComment(id: $id, reason: "Off the subject") { reported } }', {
    id: ids.at(-1),
  });
  await light.goto(`${url}${path}#comment-1`);
  await light.locator('#discussion[aria-busy=false]').waitFor();
  await light.locator('#discussion').evaluate((discussion) => discussion.scrollIntoView());
  await take(light, 'discussion', 'webp');
  await light.goto(`${url}/comments`);
  await light.getByText('Off the subject').waitFor();
  await light.getByText(/^Live/).first().waitFor();
  await take(light, 'moderation');
}

/** Pictures further down are loaded when they come into view. */
async function loadPictures(page) {
  await page.waitForLoadState('networkidle');
  await page.evaluate(() =>
    Promise.all([...document.images].slice(0, 4).map((image) => image.decode().catch(() => {}))),
  );
}

async function takePeople({ light }) {
  await light.goto(`${url}/people`);
  await light.getByText('samira@').waitFor();
  await take(light, 'people');
}

async function takeCommerce({ light }) {
  await light.goto(`${url}/commerce`);
  await light.getByText('BK-5001').waitFor();
  await take(light, 'catalog');
  await light.goto(`${url}/shop`);
  await light.getByText('Deals').waitFor();
  await light.getByText(/^Live/).first().waitFor(); // a busy machine may be behind
  await light.waitForLoadState('networkidle');
  await take(light, 'shop', 'webp');
}

/** Everybody joins the network. @returns the access token and the id of each person by mailbox */
async function joinNetwork() {
  const joined = {};
  for (const [, mailbox] of [...people, [null, 'marta']]) {
    const { viewer } = await ask('{ viewer { id } }', {}, await signIn(mailbox));
    await ask('mutation ($id: ID!) { grantRole(userId: $id, role: MEMBER) { __typename } }', { id: viewer.id });
    const as = await signIn(mailbox); // with the new role
    const { saveProfile } = await ask('mutation { saveProfile(input: {}) { id } }', {}, as);
    joined[mailbox] = { as, id: saveProfile.id };
  }
  return joined;
}

async function makeCircle(owner, { name, members }) {
  const { createCircle } = await ask(
    'mutation ($name: String!) { createCircle(name: $name) { ... on Circle { id } } }',
    { name },
    owner.as,
  );
  for (const userId of members)
    await ask(
      'mutation ($circleId: ID!, $userId: ID!) { addToCircle(circleId: $circleId, userId: $userId) { __typename } }',
      { circleId: createCircle.id, userId },
      owner.as,
    );
}

/** @returns the id of what a post is about */
async function findAbout({ node, product }) {
  if (node)
    return (await ask('query ($path: String!) { nodeByPath(path: $path) { id } }', { path: node })).nodeByPath.id;
  if (product) return (await ask('query ($sku: String!) { product(sku: $sku) { id } }', { sku: product })).product.id;
  return null;
}

async function writePosts(joined) {
  for (const [mailbox, input, { votes = {}, comments: talk = [], ...about } = {}] of posts) {
    const { publishPost } = await ask(
      'mutation ($input: PostInput!) { publishPost(input: $input) { ... on Post { id } } }',
      { input: { ...input, aboutId: await findAbout(about) } },
      joined[mailbox].as,
    );
    for (const [voter, option] of Object.entries(votes))
      await ask(
        'mutation ($postId: ID!, $option: Int!) { voteInPoll(postId: $postId, option: $option) { __typename } }',
        { postId: publishPost.id, option },
        joined[voter].as,
      );
    for (const [author, text] of talk) await postComment({ nodeId: publishPost.id, text }, joined[author].as);
  }
}

/** The news of somebody who follows everybody. */
async function takeSocial({ light }) {
  const joined = await joinNetwork();
  const everybody = Object.values(joined);
  await makeCircle(joined.marta, { ...circle, members: circle.members.map((mailbox) => joined[mailbox].id) });
  for (const { as, id } of everybody) {
    if (as === joined.marta.as) continue;
    const members = everybody.filter((other) => other.id !== id).map((other) => other.id);
    await makeCircle({ as }, { name: circle.name, members });
  }
  await writePosts(joined);
  await light.goto(`${url}/social`);
  await light.getByText('Drawn, not photographed.').waitFor();
  await light.getByText(/^Live/).first().waitFor();
  await loadPictures(light);
  await take(light, 'network', 'webp');
}

/** @returns the id of a new character of somebody */
async function enterWorld([mailbox, name, kind]) {
  const { viewer } = await ask('{ viewer { id } }', {}, await signIn(mailbox));
  await ask('mutation ($id: ID!) { grantRole(userId: $id, role: MEMBER) { __typename } }', { id: viewer.id });
  const as = await signIn(mailbox); // with the new role
  const { createCharacter } = await ask(
    'mutation ($input: CharacterInput!) { createCharacter(input: $input) { ... on Character { id } } }',
    { input: { name, class: kind } },
    as,
  );
  return { as, id: createCharacter.id };
}

/** Two people in the sample world: one types in the page, the other one answers. */
async function takeGame({ light }) {
  const [, other] = [await enterWorld(characters.own), await enterWorld(characters.other)];
  const answer = (text) =>
    ask(
      'mutation ($id: ID!, $text: String!) { sendCommand(characterId: $id, text: $text) { __typename } }',
      { id: other.id, text },
      other.as,
    );
  await light.goto(`${url}/game`);
  const field = light.getByRole('combobox', { name: 'Command' });
  const done = async (text, seen) => {
    await field.fill(text);
    await field.press('Enter');
    await light.getByRole('log').getByText(seen).first().waitFor();
  };
  for (const [text, seen, ...answers] of characters.talk) {
    await done(text, seen);
    for (const each of answers) await answer(each);
  }
  await light.getByRole('log').getByText(characters.last).waitFor();
  await field.pressSequentially('put ');
  await light.getByRole('option').first().waitFor();
  await take(light, 'game', 'webp');
}

const groups = {
  analytics: takeAnalytics,
  people: takePeople,
  commerce: takeCommerce,
  content: takeContent,
  comments: takeComments,
  social: takeSocial,
  game: takeGame,
};

async function takeAll(browser) {
  const pages = { light: await openSignedIn(browser, 'light'), dark: await openSignedIn(browser, 'dark') };
  for (const group of chosen) await groups[group](pages);
}

try {
  await ready;
  token = await signIn('marta');
  await fillPeople();
  await sextant('seed');
  const stopHits = sendHits();
  const browser = await chromium.launch({ executablePath: browsers.find(existsSync) });
  try {
    await takeAll(browser);
  } finally {
    await browser.close();
    stopHits();
  }
} finally {
  server.kill();
  await ended;
  await rm(folder, { recursive: true, force: true });
}
