/** The text game: playing; and for editors its world. */
import { Link } from '../kit/controls/link.js';
import { useRole } from '../shell/access.js';
import { lazyPage } from '../shell/lazy-page.js';
import type { Section } from '../shell/section.js';

function Welcome() {
  const isMember = useRole('MEMBER');
  return (
    isMember && (
      <>
        To explore a world of words, go to <Link href="/game">Game</Link>.
      </>
    )
  );
}

export const gameSection: Section = {
  domain: 'game',
  name: 'Game',
  icon: 'compass',
  role: 'MEMBER',
  wide: true,
  welcome: <Welcome />,
  visitors: lazyPage(() => import('./entrance/visitors-page.js').then((module) => module.VisitorsPage)),
  pages: [
    {
      path: '/game',
      name: 'Play',
      Content: lazyPage(() => import('./play/play-page.js').then((module) => module.PlayPage)),
    },
    {
      path: '/game/characters',
      name: 'Characters',
      Content: lazyPage(() => import('./characters/characters-page.js').then((module) => module.CharactersPage)),
    },
    {
      path: '/game/characters/:id',
      name: 'Character',
      Content: lazyPage(() => import('./characters/character-page.js').then((module) => module.CharacterPage)),
      titled: true,
      unlisted: true,
    },
    {
      path: '/game/world',
      name: 'World',
      role: 'EDITOR',
      Content: lazyPage(() => import('./world/pages/world-page.js').then((module) => module.WorldPage)),
    },
    {
      path: '/game/items',
      name: 'Items',
      role: 'EDITOR',
      Content: lazyPage(() => import('./world/pages/items-page.js').then((module) => module.ItemsPage)),
    },
    {
      path: '/game/folk',
      name: 'Inhabitants',
      role: 'EDITOR',
      Content: lazyPage(() => import('./world/pages/folk-page.js').then((module) => module.FolkPage)),
    },
    {
      path: '/game/files',
      name: 'Files',
      role: 'EDITOR',
      Content: lazyPage(() => import('./world/pages/files-page.js').then((module) => module.FilesPage)),
    },
  ],
};
