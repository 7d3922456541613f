/**
 * Videos on other sites, by their address. Only hosts of this list: an embedded page runs its own scripts in its frame. Nothing is
 * requested from them until the reader clicks; the pages that embed them name `frameSources` in their Content Security Policy.
 */

export interface Video {
  readonly host: 'YOUTUBE' | 'VIMEO' | 'PEERTUBE';
  /** The address of the video's page. */
  readonly url: string;
  /** The address to show in a frame; it sets no cookies before the video is played, as far as the host offers that. */
  readonly embedUrl: string;
}

const YOUTUBE_HOSTS = new Set([
  'youtube.com',
  'www.youtube.com',
  'm.youtube.com',
  'music.youtube.com',
  'www.youtube-nocookie.com',
]);
const YOUTUBE_EMBED = 'https://www.youtube-nocookie.com';
const VIMEO_HOSTS = new Set(['vimeo.com', 'www.vimeo.com', 'player.vimeo.com']);
const VIMEO_EMBED = 'https://player.vimeo.com';
/** Anyone can run PeerTube, so each host is named. */
export const peerTubeHosts = [
  'framatube.org',
  'video.blender.org',
  'tilvids.com',
  'peertube.tv',
  'makertube.net',
] as const;
const PEERTUBE_HOSTS: ReadonlySet<string> = new Set(peerTubeHosts);

const ADDRESS_LENGTH_MAX = 2000;

/** The origins of all frames. */
export const frameSources: readonly string[] = [
  YOUTUBE_EMBED,
  VIMEO_EMBED,
  ...peerTubeHosts.map((host) => `https://${host}`),
];

/** @returns null when the address is not that of a video on a known host */
export function videoOf(address: string): Video | null {
  if (address.length > ADDRESS_LENGTH_MAX || !URL.canParse(address)) return null;
  const url = new URL(address);
  if (!/^https?:$/.test(url.protocol) || url.username || url.password || url.port) return null;
  if (url.hostname === 'youtu.be' || YOUTUBE_HOSTS.has(url.hostname)) return youTubeVideo(url);
  if (VIMEO_HOSTS.has(url.hostname)) return vimeoVideo(url);
  return PEERTUBE_HOSTS.has(url.hostname) ? peerTubeVideo(url) : null;
}

function youTubeVideo(url: URL): Video | null {
  const [, inPath] = /^\/(?:embed|shorts|live|v)\/([\w-]{11})\/?$/.exec(url.pathname) ?? [];
  const [, short] = url.hostname === 'youtu.be' ? (/^\/([\w-]{11})\/?$/.exec(url.pathname) ?? []) : [];
  const id = short ?? inPath ?? (url.pathname === '/watch' ? url.searchParams.get('v') : null);
  if (!id || !/^[\w-]{11}$/.test(id)) return null;
  const start = secondsOf(url.searchParams.get('t') ?? url.searchParams.get('start') ?? '');
  return {
    host: 'YOUTUBE',
    url: `https://www.youtube.com/watch?v=${id}${start > 0 ? `&t=${start}` : ''}`,
    embedUrl: `${YOUTUBE_EMBED}/embed/${id}${start > 0 ? `?start=${start}` : ''}`,
  };
}

/** @param time `90`, `90s`, `1m30s` or `1h2m3s`; 0 for anything else */
function secondsOf(time: string): number {
  const [match, hours = 0, minutes = 0, seconds = 0] =
    /^(?:(\d{1,3})h)?(?:(\d{1,4})m)?(?:(\d{1,6})s?)?$/.exec(time) ?? [];
  return match ? Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) : 0;
}

function vimeoVideo(url: URL): Video | null {
  const path = /^\/(?:video\/|channels\/[\w-]+\/|groups\/[\w-]+\/videos\/)?(\d{1,12})(?:\/([0-9a-f]{6,20}))?\/?$/;
  const [, id, inPath] = path.exec(url.pathname) ?? [];
  if (!id) return null;
  const given = inPath ?? url.searchParams.get('h') ?? '';
  const key = /^[0-9a-f]{6,20}$/.test(given) ? given : null; // of videos that only people with the address may see
  return {
    host: 'VIMEO',
    url: `https://vimeo.com/${id}${key ? `/${key}` : ''}`,
    embedUrl: `${VIMEO_EMBED}/video/${id}?dnt=1${key ? `&h=${key}` : ''}`,
  };
}

function peerTubeVideo({ hostname, pathname }: URL): Video | null {
  const [, id] = /^\/(?:w|videos\/watch|videos\/embed)\/([\w-]{10,40})\/?$/.exec(pathname) ?? [];
  if (!id) return null;
  return {
    host: 'PEERTUBE',
    url: `https://${hostname}/w/${id}`,
    embedUrl: `https://${hostname}/videos/embed/${id}?p2p=0`,
  };
}
