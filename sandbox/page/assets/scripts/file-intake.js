/** The ways pictures come in besides the attach menu: pasted, or dragged over the conversation. */
import { byId } from './dom.js';

/** `take(files)` gets what was pasted into the text field or dropped on the conversation. */
export function wireFileIntake(take) {
  const area = byId('drop-hint').parentElement;
  const hint = byId('drop-hint');
  const carriesFiles = (event) => event.dataTransfer?.types.includes('Files');

  byId('composer-input').addEventListener('paste', (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    take(files);
  });
  area.addEventListener('dragover', (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    hint.hidden = false;
  });
  area.addEventListener('dragleave', (event) => {
    if (!area.contains(event.relatedTarget)) hint.hidden = true;
  });
  area.addEventListener('drop', (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    hint.hidden = true;
    take([...event.dataTransfer.files]);
  });
}
