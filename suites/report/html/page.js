
'use strict';
// Adds what needs a script: the filter, the copy buttons, and links that lead
// to what the filter hides. All else is there without it.
(() => {
  const filter = document.getElementById('filter');
  const find = document.getElementById('find');
  const shown = document.getElementById('shown');
  const parts = [...document.querySelectorAll('.part')].map((element) => ({
    name: element.id === 'silences' ? 'open questions' : element.id,
    count: element.querySelector('h2 .count'),
    groups: [...element.querySelectorAll('.group')],
    items: [...element.querySelectorAll('.item')].map((item) => ({ element: item, status: item.dataset.status })),
  }));

  const matches = (item, status, words) => {
    if (status && item.status !== status) return false;
    if (words.length === 0) return true;
    item.text ??= item.element.textContent.toLowerCase();
    return words.every((word) => item.text.includes(word));
  };

  const apply = () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    const status = new FormData(filter).get('status');
    const all = words.length === 0 && !status;
    const counts = [];
    for (const part of parts) {
      let count = 0;
      for (const item of part.items) {
        const hidden = !matches(item, status, words);
        if (item.element.hidden !== hidden) item.element.hidden = hidden;
        if (!hidden) count++;
      }
      for (const group of part.groups) {
        group.hidden = group.querySelector('.item:not([hidden])') === null;
      }
      const total = part.items.length;
      part.count.textContent = all ? total : `${count} of ${total}`;
      counts.push(`${count} of ${total} ${part.name}`);
    }
    shown.textContent = all ? '' : counts.join(', ');
  };

  let waiting;
  filter.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(apply, 80);
  });
  filter.addEventListener('submit', (event) => {
    event.preventDefault();
    apply();
  });

  // The fragment names what to show, whatever the filter says.
  const follow = () => {
    let id = location.hash.slice(1);
    try { id = decodeURIComponent(id); } catch { /* it is the id as it stands */ }
    const target = document.getElementById(id);
    if (!target) return;
    if (target.closest('[hidden]')) {
      filter.reset();
      apply();
    }
    const details = target.closest('details');
    if (details) details.open = true;
    (details ?? target).scrollIntoView();
  };

  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const area = document.createElement('textarea');
      area.value = text;
      document.body.append(area);
      area.select();
      const done = document.execCommand('copy');
      area.remove();
      return done;
    }
  };

  const addButtons = (element) => {
    for (const replay of element.querySelectorAll('.replay:not(:has(button))')) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = 'Copy';
      button.setAttribute('aria-label', 'Copy the command');
      replay.append(button);
    }
  };
  document.addEventListener('click', async (event) => {
    const button = event.target.closest('.replay button');
    if (!button) return;
    const done = await copy(button.parentElement.querySelector('pre').textContent);
    button.focus();
    button.textContent = done ? 'Copied' : 'Failed';
    button.setAttribute('aria-label', done ? 'Copied the command' : 'Copying failed');
    setTimeout(() => {
      button.textContent = 'Copy';
      button.setAttribute('aria-label', 'Copy the command');
    }, 2000);
  });
  // There may be thousands of commands: each gets its button when it is seen.
  document.addEventListener('toggle', (event) => addButtons(event.target), true);
  for (const article of document.querySelectorAll('article')) addButtons(article);

  filter.hidden = false;
  addEventListener('hashchange', follow);
  if (location.hash) follow();
})();
