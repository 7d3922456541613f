/** Content's part of the API. */
import type { ContentServices } from '../../models/content/domain.js';
import { type ContentLoaders, makeContentLoaders } from '../../models/content/loaders.js';
import { findNode } from '../../models/content/nodes/node.js';
import { anybody } from '../support/access.js';
import type { DomainResolvers } from '../support/domain-resolvers.js';
import { workNode } from '../support/work.js';
import * as contentExport from './content-export.js';
import * as contentImport from './content-import.js';
import * as group from './group.js';
import * as node from './node.js';
import { nodeComments } from './node-comments.js';
import * as nodeMigration from './node-migration.js';
import { typeOfNode, visible } from './node-type.js';
import * as nodeVersion from './node-version.js';
import * as photo from './photo.js';
import * as post from './post.js';
import * as preview from './preview.js';
import { siteRoutes } from './site/routes.js';
import * as tag from './tag.js';

export const resolvers: DomainResolvers = {
  modules: [node, post, photo, group, nodeVersion, tag, preview, contentImport, contentExport, nodeMigration],
  nodes: {
    ContentNode: {
      mayAsk: anybody,
      find: async (context, id) => {
        const found = visible(context, await findNode(context.db, id));
        return found && { ...found, __typename: typeOfNode(found) };
      },
    },
    NodeMigration: workNode('NodeMigration'),
  },
  commentables: { ContentNode: nodeComments },
  loaders: makeContentLoaders,
  routes: siteRoutes,
};

declare module '../../server/context/context.js' {
  interface Services extends ContentServices {}
  interface Loaders extends ContentLoaders {}
}
