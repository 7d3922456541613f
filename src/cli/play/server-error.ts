/** How a request of the terminal ends without what was asked for. */

/** The server refused what was asked for. The message is for the user. */
export class ServerError extends Error {
  override name = 'ServerError';

  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message);
  }
}

/** It may have been sent so long ago that the server has forgotten its key, and would do it twice. The message is for the user. */
export class TooOldError extends Error {
  override name = 'TooOldError';

  constructor(isUnsent: boolean) {
    super(`More than an hour has passed. ${isUnsent ? 'This was not sent' : 'It is not known whether this was done'}`);
  }
}
