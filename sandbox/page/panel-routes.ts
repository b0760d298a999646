/** The switches for failures. */
import type { FastifyInstance } from 'fastify';
import type { FaultSwitches } from './fault-switches.ts';
import { serviceFault, telegramFaults } from './protocol.ts';

/** `changed` is called after every move of a switch. */
export function addPanelRoutes(app: FastifyInstance, switches: FaultSwitches, changed: () => void): void {
  app.put('/api/service-faults', (request) => {
    const { kind, fault } = serviceFault.parse(request.body);
    switches.setService(kind, fault);
    changed();
    return switches.read();
  });

  app.put('/api/telegram-faults', (request) => {
    switches.setTelegram(telegramFaults.parse(request.body));
    changed();
    return switches.read();
  });
}
