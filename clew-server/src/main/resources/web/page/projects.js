import { html } from 'lit';
import './library-style.js';
import { api } from './api.js';
import { filterList } from './conversations.js';
import { PageElement } from './element.js';
import { askAll } from './form-dialog.js';
import { icons } from './icons.js';
import { listChanged, put, takeAway } from './loaded.js';
import { openMenu } from './menu.js';
import { agree } from './question.js';
import { change, state } from './store.js';
import { failed } from './toasts.js';
import { say } from './words.js';

/** The projects, each of which shows its conversations in the list below. */
class Projects extends PageElement {
  static follows = ['library', 'list'];

  render() {
    const { projects } = state.library;
    return projects.length === 0
      ? ''
      : html`<section class="projects" aria-labelledby="projects">
          <div class="heading">
            <h2 id="projects">${say('projects')}</h2>
            <button class="icon-button" aria-label=${say('newProject')} title=${say('newProject')} @click=${newProject}>
              ${icons.add}
            </button>
          </div>
          <ul>
            ${projects.map((one) => this.one(one))}
          </ul>
        </section>`;
  }

  one(project) {
    const { project_id: id, name } = project;
    const shown = state.list.project === id;
    return html`<li class=${shown ? 'current' : ''}>
      <button
        class="name"
        dir="auto"
        title=${name}
        aria-pressed=${shown ? 'true' : 'false'}
        @click=${() => filterList(shown ? {} : { project: id })}
      >
        ${icons.folder}<span>${name}</span>
      </button>
      <button
        class="icon-button"
        aria-haspopup="menu"
        aria-label=${say('moreFor', { title: name })}
        @click=${(event) => projectMenu(event.currentTarget, project)}
      >
        ${icons.more}
      </button>
    </li>`;
  }
}
customElements.define('clew-projects', Projects);

export async function loadProjects() {
  const { data } = await api.projects();
  change('library', { projects: data });
}

const byName = (one, other) => one.name.localeCompare(other.name);

function show(project) {
  const others = state.library.projects.filter((one) => one.project_id !== project.project_id);
  change('library', { projects: [...others, project].sort(byName) });
  change('thread');
}

function projectMenu(anchor, project) {
  openMenu(anchor, [
    { label: `${say('edit')}…`, icon: icons.edit, act: () => editProject(project) },
    { label: say('remove'), icon: icons.trash, danger: true, act: () => removeProject(project) },
  ]);
}

function askProject(title, { name, instructions, model }) {
  const { models } = state.me;
  const choices = { '': say('anyModel'), ...Object.fromEntries(models.map((one) => [one, one])) };
  return askAll(title, [
    { name: 'name', label: say('projectName'), value: name },
    { name: 'instructions', label: say('projectTold'), value: instructions, long: true, optional: true },
    ...(models.length > 1 ? [{ name: 'model', label: say('model'), value: model, choices }] : []),
  ]);
}

/** Makes a project; returns it, or nothing. */
export async function newProject() {
  const fields = await askProject(say('newProject'), {});
  if (fields === null) {
    return null;
  }
  try {
    const project = await api.makeProject(fields);
    show(project);
    return project;
  } catch (e) {
    failed(e);
    return null;
  }
}

async function editProject(project) {
  const fields = await askProject(say('editProject'), project);
  if (fields !== null) {
    await api.changeProject(project.project_id, fields).then(show, failed);
  }
}

async function removeProject({ project_id: id, name }) {
  if (!(await agree(say('removeAsk', { title: name }), say('removeProjectHint'), say('remove')))) {
    return;
  }
  try {
    await api.removeProject(id);
  } catch (e) {
    failed(e);
    return;
  }
  const rest = state.library.projects.filter((one) => one.project_id !== id);
  change('library', { projects: rest });
  if (state.thread.info?.project === id) {
    change('thread', { info: { ...state.thread.info, project: undefined } });
  }
  if (state.thread.wishes.project === id) {
    change('thread', { wishes: { ...state.thread.wishes, project: undefined } });
  }
  if (state.list.project === id) {
    await filterList({});
  } else {
    listChanged();
  }
}

/** Chooses the project of a conversation; of the new one without a conversation. */
export function chooseProject(anchor, info) {
  const now = (info ?? state.thread.wishes).project;
  const known = state.library.projects;
  const to = (id) => () => (info ? move(info, id) : belong(id));
  openMenu(anchor, [
    ...known.map(({ project_id: id, name }) => ({
      label: name,
      icon: icons.folder,
      checked: id === now,
      act: to(id),
    })),
    ...(known.length > 0
      ? [
          {
            label: say('noProject'),
            icon: icons.close,
            checked: !known.some((one) => one.project_id === now),
            act: to(null),
          },
          { line: true },
        ]
      : []),
    {
      label: `${say('newProject')}…`,
      icon: icons.add,
      act: async () => {
        const project = await newProject();
        if (project) {
          to(project.project_id)();
        }
      },
    },
  ]);
}

function belong(id) {
  change('thread', { wishes: { ...state.thread.wishes, project: id ?? undefined } });
}

async function move(info, id) {
  try {
    put(await api.describe(info.session_id, { project: id }));
    if (state.list.project && state.list.project !== id) {
      takeAway([info.session_id]);
    }
    listChanged();
  } catch (e) {
    failed(e);
  }
}
