/** The path of a Chromium that runs; undefined where there is none. */
export declare function findBrowser(): string | undefined;
