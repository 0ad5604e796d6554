internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import MediaConsent
internal import MediaModel
internal import MediaPipeline

/// The options that ask a person in a browser instead of at the terminal.
struct PageOptions: RuledArguments {
  static let rules: [OptionRule] = ["--socket goes with --web."]

  @Flag(help: "Ask in a browser on this machine: the address is printed to standard error.")
  var web = false

  @Option(
    help: "With --web: listen on a UNIX socket at this path, for ssh -L, and on no port.",
    completion: .file()
  )
  var socket: PathArgument?

  /// Holds the place of the socket against the sources of a manifest.
  func check(_ loaded: LoadedManifest) throws {
    guard let socket else { return }
    try Console.endingOnError {
      try SourceFolders(of: loaded).requireOutside(socket.bytes, option: "--socket")
    }
  }

  /// Opens the page, if one is wanted and can be shown, else the terminal; nil where there is neither.
  func asker() -> (() -> Asker?)? {
    let environment = ProcessInfo.processInfo.environment
    let hasTerminal = (try? Terminal(environment: environment)) != nil
    guard web || hasTerminal else { return nil }
    return { [self] in
      if web {
        do {
          let endpoint = socket.map { AskingPage.Endpoint.socket($0.bytes) } ?? .loopback
          return .page(try AskingPage(at: endpoint) { Console.note($0) })
        } catch {
          Console.note("\(error)")
        }
      }
      return (try? Terminal(environment: environment)).map { .terminal($0) }
    }
  }
}
