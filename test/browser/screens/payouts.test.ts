import { testScreens } from '../../support/screens/console-screens.ts';

testScreens('payouts');
