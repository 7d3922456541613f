import { useEffect, useState } from 'react';
import type { OpenPosts } from '../data/open-posts.js';

/** Follows a list of posts as long as the component is mounted. @param open is called once: give the component a key */
export function usePosts(open: () => OpenPosts): OpenPosts {
  const [posts] = useState(open);
  useEffect(() => posts.start(), [posts]);
  return posts;
}
