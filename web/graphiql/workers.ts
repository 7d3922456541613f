/**
 * Monaco's workers, bundled with the page, so that it works under a content security policy of 'self'.
 * Not `graphiql/setup-workers/vite`: Vite's development server cannot pre-bundle worker imports inside a package.
 */
import EditorWorker from 'monaco-editor/esm/vs/editor/editor.worker.js?worker';
import JsonWorker from 'monaco-editor/esm/vs/language/json/json.worker.js?worker';
import GraphQLWorker from 'monaco-graphql/esm/graphql.worker.js?worker';

Object.assign(globalThis, {
  MonacoEnvironment: {
    getWorker(_id: string, label: string): Worker {
      switch (label) {
        case 'json':
          return new JsonWorker();
        case 'graphql':
          return new GraphQLWorker();
        default:
          return new EditorWorker();
      }
    },
  },
});
