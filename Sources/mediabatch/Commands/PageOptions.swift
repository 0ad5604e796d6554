internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import MediaConsent
internal import MediaModel
internal import MediaPipeline

/// The options that ask a person in a browser instead of at the terminal.
struct PageOptions: RuledArguments {
  static let rules: [OptionRule] = ["--socket goes with --web.", "--language goes with --web."]

  @Flag(help: "Ask in a browser on this machine, at the address that is printed.")
  var web = false

  @Option(
    help: .rare(
      "With --web: listen on a UNIX socket at this path.",
      details: "Then no port is open; ssh -L leads from another machine to the socket."
    ),
    completion: .file()
  )
  var socket: PathArgument?

  @Option(
    help: PageTag.help(
      "With --web: the language of the page.",
      details: "By default it is that of the browser."
    ),
    transform: PageTag.init(text:)
  )
  var language: PageTag?

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
          return .page(try AskingPage(at: endpoint, language: language?.tag) { Console.note($0) })
        } catch {
          Console.note("\(error)")
        }
      }
      return (try? Terminal(environment: environment)).map { .terminal($0) }
    }
  }
}

extension PageTag {
  /// The help of an option that takes a language.
  static func help(_ text: String, details: String) -> ArgumentHelp {
    .rare(text, details: "\(details) One of \(all.joined(separator: ", ")).", valueName: "tag")
  }

  /// - Throws: ``OptionWordError`` with what the option takes.
  init(text: String) throws {
    self = try PageTag(for: [text]).orThrow("it takes one of \(Self.all.joined(separator: ", ")).")
  }
}
