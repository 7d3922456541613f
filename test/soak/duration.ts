const minutes = Number(process.env.SOAK_MINUTES ?? 10);

/** The duration of each soak test, in milliseconds. */
export const soakMs = minutes * 60_000;
