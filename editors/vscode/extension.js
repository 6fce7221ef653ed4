// Starts `regent debug` for a launch configuration of type "regent".
const vscode = require('vscode');

function descriptor(session) {
  const { regent = 'regent', directory = '.', data } = session.configuration;
  const more = data ? ['--data', data] : [];
  return new vscode.DebugAdapterExecutable(regent, ['debug', directory, ...more]);
}

exports.activate = (context) => {
  const factory = { createDebugAdapterDescriptor: descriptor };
  context.subscriptions.push(vscode.debug.registerDebugAdapterDescriptorFactory('regent', factory));
};
