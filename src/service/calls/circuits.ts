/** One circuit for each host, so that pictures are still read while translation is down; one in all where the host is one. */
import type { OnEvent } from '../events.ts';
import { type Circuit, type CircuitOptions, type CircuitState, createCircuit } from './circuit.ts';

export interface Circuits {
  /** Guards the token and recognition. */
  readonly auth: Circuit;
  /** Guards translation and speech. */
  readonly base: Circuit;
  /** The worse of the two. */
  state(): CircuitState;
}

interface Hosts {
  readonly authUrl: string;
  readonly baseUrl: string;
}

/** Closed circuits; `onEvent` hears of every change. */
export function createCircuits(hosts: Hosts, options: CircuitOptions, onEvent: OnEvent): Circuits {
  const circuitOf = (host: 'auth' | 'base' | 'both') =>
    createCircuit(options, (state) => onEvent({ type: 'circuit', host, state }));
  const isOneHost = new URL(hosts.authUrl).origin === new URL(hosts.baseUrl).origin;
  const auth = circuitOf(isOneHost ? 'both' : 'auth');
  const base = isOneHost ? auth : circuitOf('base');
  return {
    auth,
    base,
    state() {
      const states = [auth.state(), base.state()];
      return (['open', 'half-open'] as const).find((state) => states.includes(state)) ?? 'closed';
    },
  };
}
