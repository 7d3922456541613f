/** `sextant serve`: the same as `npm start` on a built project. */
import { Command } from 'commander';

export const serveCommand = new Command('serve').description('start the server').action(async () => {
  await import('../../process/main.js');
});
