const minutes = Number(process.env.SOAK_MINUTES ?? 10);

/** How long a part of the soak takes, in milliseconds. */
export const soakMs = minutes * 60_000;
