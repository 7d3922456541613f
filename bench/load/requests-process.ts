/** Sends requests from a separate process. */
import { runProgram } from './program.js';
import type { RequestsAnswer, RequestsOptions } from './requests.js';

export const sendRequests = (options: RequestsOptions) =>
  runProgram<RequestsOptions, RequestsAnswer>('requests', options);
