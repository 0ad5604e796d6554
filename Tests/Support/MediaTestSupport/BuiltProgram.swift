internal import Foundation

/// The programs of this package, as they were built with the tests.
package enum BuiltProgram {
  /// The path of one: in the folder that `MEDIABATCH_PROGRAMS` names, or beside the tests.
  ///
  /// - Throws: An error when it is in neither.
  package static func path(_ name: String) throws -> String {
    var folders: [String] = []
    if let folder = ProcessInfo.processInfo.environment["MEDIABATCH_PROGRAMS"] {
      folders.append(folder)
    }
    // Not Bundle.main: with Swift Testing the running program may be a helper of the toolchain, and
    // then the test bundle is among its arguments.
    for argument in ["/proc/self/exe"] + CommandLine.arguments {
      let url = URL(fileURLWithPath: argument).resolvingSymlinksInPath()
      folders.append(url.deletingLastPathComponent().path)
    }
    let executable = folders.map { $0 + "/" + name }.first { path in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        && !isFolder.boolValue && FileManager.default.isExecutableFile(atPath: path)
    }
    guard let executable else { throw CocoaError(.fileNoSuchFile, userInfo: ["program": name]) }
    return executable
  }
}
