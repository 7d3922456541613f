import { describe, expect, it } from 'vitest';
import { frameSources, videoOf } from '../../../src/shared/rendering/video.js';

describe('the address of a video', () => {
  it.each([
    ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'],
    [
      'https://m.youtube.com/watch?list=a&v=dQw4w9WgXcQ&t=1m30s',
      'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?start=90',
    ],
    ['http://youtu.be/dQw4w9WgXcQ?t=42', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?start=42'],
    ['https://youtube.com/shorts/dQw4w9WgXcQ', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'],
    ['https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'],
    ['https://vimeo.com/76979871', 'https://player.vimeo.com/video/76979871?dnt=1'],
    ['https://vimeo.com/channels/staffpicks/76979871', 'https://player.vimeo.com/video/76979871?dnt=1'],
    ['https://vimeo.com/76979871/abcdef0123', 'https://player.vimeo.com/video/76979871?dnt=1&h=abcdef0123'],
    [
      'https://player.vimeo.com/video/76979871?h=abcdef0123',
      'https://player.vimeo.com/video/76979871?dnt=1&h=abcdef0123',
    ],
    [
      'https://framatube.org/w/kkGMgK9ZtnKfYAgnEtQxbv',
      'https://framatube.org/videos/embed/kkGMgK9ZtnKfYAgnEtQxbv?p2p=0',
    ],
    [
      'https://video.blender.org/videos/watch/3d95fb3d-c866-42c8-9db1-fe82f48ccb95',
      'https://video.blender.org/videos/embed/3d95fb3d-c866-42c8-9db1-fe82f48ccb95?p2p=0',
    ],
  ])('%s is shown as %s', (address, embedUrl) => {
    const video = videoOf(address);
    expect(video?.embedUrl).toBe(embedUrl);
    expect(frameSources).toContain(new URL(embedUrl).origin);
    expect(videoOf(video?.url ?? '')).toEqual(video); // the canonical address leads to the same video
  });

  it.each([
    'https://evil.example/watch?v=dQw4w9WgXcQ',
    'https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ',
    'https://youtube.com@evil.example/watch?v=dQw4w9WgXcQ',
    'https://evil@www.youtube.com/watch?v=dQw4w9WgXcQ',
    'https://www.youtube.com:8443/watch?v=dQw4w9WgXcQ',
    'https://www.youtube.com/watch?v=dQw4w9WgXc"',
    'https://www.youtube.com/redirect?q=https://evil.example',
    'javascript:alert("https://www.youtube.com/watch?v=dQw4w9WgXcQ")',
    'https://vimeo.com/about',
    'https://framatube.org/login',
    'https://unknown-peertube.example/w/kkGMgK9ZtnKfYAgnEtQxbv',
    'youtube.com/watch?v=dQw4w9WgXcQ',
    '',
    `https://www.youtube.com/watch?v=dQw4w9WgXcQ&a=${'b'.repeat(2000)}`,
  ])('is not %s', (address) => {
    expect(videoOf(address)).toBeNull();
  });
});
