package import ArgumentParser
internal import Glibc
internal import MediaCameras
internal import MediaConsent
internal import MediaFileSystem
internal import MediaModel
internal import MediaPhotosLibrary
internal import MediaSandbox
internal import MediaSyntax
internal import MediaWatch
internal import MediaWeb
internal import MediaWorkerProtocol

/// The command line: one file per subcommand; each parses, calls a module and maps to an exit code.
package struct Mediabatch: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "mediabatch",
    abstract: "Imports photos, videos and sound that a person has allowed, and proves it.",
    discussion: "`mediabatch help exit-codes` says what each exit code means.",
    version: BuildInfo.version,
    groupedSubcommands: groups.map {
      CommandGroup(name: $0.name, subcommands: $0.common + $0.others)
    }
      + [
        CommandGroup(name: "", subcommands: [SelfTestCommand.self] + services.map { command(of: $0) })
      ]
  )

  /// The confined processes that other commands start.
  private static var services: [any ConfinedService.Type] {
    [
      FileTimesService.self, PickerService.self, PhotosReaderService.self, CameraService.self,
      WatcherService.self, ViewerService.self, PageService.self,
    ]
  }

  private static func command<Service: ConfinedService>(
    of _: Service.Type
  ) -> any ParsableCommand.Type {
    ServiceCommand<Service>.self
  }

  package init() {}

  /// Is the program: it performs the command line of this process and ends it.
  package static func main() {
    InheritedVariables.drop()
    // An import goes on when the reader of its output is gone.
    signal(SIGPIPE, SIG_IGN)
    // A limit on file sizes is then an error of write(2), like a full disk.
    signal(SIGXFSZ, SIG_IGN)
    // Where standard output is closed, its number would go to the next file that is opened, and the
    // summary into that file.
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", O_RDWR)
    }
    // Swift reads the arguments in /proc, and has none where it cannot: every command would print the
    // help, and end with 0.
    let arguments = WorkerProcess.ownArguments
    guard CommandLine.arguments.dropFirst().elementsEqual(arguments) else {
      Console.note(
        "The arguments cannot be read in /proc, which this program needs. Nothing was done: mount it "
          + "(mount -t proc proc /proc), and repeat the command."
      )
      Glibc.exit(RunExitCode.internalCheck.rawValue)
    }
    if arguments.count == 1, let code = serve(arguments[0]) { Glibc.exit(code) }
    Glibc.exit(perform(Array(WorkerProcess.ownWords.dropFirst())))
  }

  /// Performs a command line.
  ///
  /// - Parameter arguments: Without the name of the program.
  /// - Returns: The exit code.
  static func perform(_ arguments: [[UInt8]]) -> Int32 {
    CommandArguments.take(arguments)
    if CommandArguments.current.texts == ["help", "exit-codes"] {
      Console.output(exitCodes)
      return RunExitCode.success.rawValue
    }
    do {
      return try perform(parseAsRoot(CommandArguments.current.texts))
    } catch {
      return exitCode(saying: error)
    }
  }

  /// Serves another command, if that has started this process with the name of a service alone.
  ///
  /// ArgumentParser is not asked: it takes most of the time in which such a process starts, and the other command
  /// waits.
  ///
  /// - Parameters:
  ///   - name: The only argument.
  ///   - socket: The end of the socket to the process that waits.
  /// - Returns: The exit code; nil for the name of no service.
  static func serve(_ name: String, over socket: Int32 = WorkerProcess.socketInWorker) -> Int32? {
    func code<Service: ConfinedService>(_: Service.Type) -> Int32? {
      Service.Terms.argument == name ? Service.run(stage: nil, over: socket) : nil
    }
    for service in services {
      if let code = code(service) { return code }
    }
    return nil
  }

  /// Without a subcommand there is nothing to do, which a script must not take for success.
  package func run() throws {
    Console.note(Self.overview)
    throw RunExitCode.usage.end
  }

  private static func perform(_ command: any ParsableCommand) -> Int32 {
    var command = command
    let year = SaveTime.now.year
    if type(of: command).configuration.shouldDisplay, !SaveTime.years.contains(year) {
      Console.note(
        "The clock says \(year), and times must be from \(SaveTime.years.lowerBound) to "
          + "\(SaveTime.years.upperBound). Nothing was done: set the clock, and repeat the command."
      )
      exit(withError: ExitCode(RunExitCode.cannotWrite.rawValue))
    }
    // A process of its own has the limit of the one that started it, or less.
    if type(of: command).configuration.shouldDisplay, let limit = DescriptorLimit.raise() {
      Console.note(
        "This process may open only \(limit) files at once, and needs \(DescriptorLimit.needed). Nothing was done: "
          + "raise the limit (ulimit -n \(DescriptorLimit.needed)), and repeat the command."
      )
      return RunExitCode.internalCheck.rawValue
    }
    do {
      if let command = command as? any LibraryCommand { try NamedFiles.check(command) }
      try command.run()
      return RunExitCode.success.rawValue
    } catch let error as ValidationError {
      return exitCode(ofUsageError: error.message, of: type(of: command))
    } catch let error as OptionWordError {
      return exitCode(ofUsageError: error.description, of: type(of: command))
    } catch {
      return exitCode(saying: error)
    }
  }

  /// Says an error, or prints what a person asked for, such as the help, which ArgumentParser throws too.
  private static func exitCode(saying error: any Error) -> Int32 {
    let (code, text) = (exitCode(for: error), fullMessage(for: error))
    if text.isEmpty { return code.rawValue }
    if code.isSuccess {
      Console.output(arranged(text))
    } else {
      var lines = escaped(text).split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      if lines[0].contains("nexpected argument"), let command = intendedCommand {
        lines[0] += ". Did you mean '\(command)'?"
      }
      Console.note(lines.joined(separator: "\n"))
    }
    return code.rawValue
  }

  /// The command whose name is nearest to the first word that is none; nil where all are, or none is near.
  private static var intendedCommand: String? {
    var command: any ParsableCommand.Type = Self.self
    for word in CommandArguments.current.texts {
      let commands = command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
      guard let next = commands.first(where: { name(of: $0) == word }) else {
        return Spelling.nearest(to: word, among: commands.map { name(of: $0) })
      }
      command = next
    }
    return nil
  }

  /// The message of an error with its own lines and nothing else that acts on a terminal.
  ///
  /// It repeats words of the command line, which may be names of files that a shell's `*` has put there; a line break
  /// in a quoted word is none of the message.
  private static func escaped(_ message: String) -> String {
    var message = message
    for argument in CommandArguments.current.texts {
      for word in [argument] + argument.split(separator: "=", maxSplits: 1).map(String.init) {
        let safe = EscapedText.printable(word)
        if safe != word { message.replace("'\(word)'", with: "'\(safe)'") }
      }
    }
    return message.split(separator: "\n", omittingEmptySubsequences: false)
      .map { EscapedText.printable(String($0)) }.joined(separator: "\n")
  }

  /// Says a message with the command's own usage: ArgumentParser shows that of the root for what is found wrong
  /// while the command runs.
  private static func exitCode(
    ofUsageError message: String,
    of command: any ParsableCommand.Type
  ) -> Int32 {
    let help = helpMessage(for: command, columns: 1_000).split(separator: "\n")
    let usage = help.first { $0.hasPrefix("USAGE: ") }?.dropFirst("USAGE: ".count) ?? "mediabatch"
    let name = usage.split(separator: " ").prefix { word in
      word.utf8.allSatisfy { $0.isASCIILowercase || $0 == .hyphen }
    }.joined(separator: " ")
    Console.note(
      "Error: \(escaped(message))\nUsage: \(usage)\n  See '\(name) --help' for more information."
    )
    return RunExitCode.usage.rawValue
  }
}
