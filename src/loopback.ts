/** Addresses that never leave this machine. */

const HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Whether what is sent to this address stays here. */
export function isOnThisMachine({ hostname }: URL): boolean {
  return HOSTS.has(hostname);
}
