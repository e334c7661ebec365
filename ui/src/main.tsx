// Where the page starts.

import { render } from 'preact';
import { App } from './shell/App';
import { followAddress } from './shell/router';
import { followSettings } from './settings';
import './style/base.css';
import './style/board.css';
import './style/shell.css';
import './style/play.css';
import './style/look.css';

followSettings();
followAddress();
render(<App />, document.getElementById('page')!);
