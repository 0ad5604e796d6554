import Glibc
import MediaConsent
import MediaFileSystem
import MediaManifest
import MediaModel
import MediaPermissions
import MediaPicking
import MediaSandbox
import MediaWeb

/// What the program prints goes to standard output, which is no terminal.
func emit(_ line: String) {
  print(line)
  fflush(nil)
}

/// `name=value` arguments.
struct Fields {
  let values: [String: String]

  init(_ arguments: [String]) {
    var values: [String: String] = [:]
    for argument in arguments {
      guard let equals = argument.firstIndex(of: "=") else { continue }
      values[String(argument[..<equals])] = String(argument[argument.index(after: equals)...])
    }
    self.values = values
  }

  func text(_ name: String, _ otherwise: String = "") -> String { values[name] ?? otherwise }
  func number(_ name: String, _ otherwise: Int) -> Int {
    values[name].flatMap { Int($0) } ?? otherwise
  }
}

func run(verb: String, arguments: [String]) {
  switch verb {
  case PickerService.argument: exit(PickerService.run())
  case PageTerms.argument: exit(PageService.run())
  case ViewerService.argument: exit(ViewerService.run())
  case "lying-picker": exit(LyingPicker.run(arguments))
  case "ask": ask(Fields(arguments))
  case "pick": pick(Fields(arguments))
  case "page": page(Fields(arguments))
  default: exit(64)
  }
}

func withTerminal(_ fields: Fields, _ body: (Terminal) -> Void) {
  do {
    let path = [UInt8](fields.text("terminal", "/dev/tty").utf8)
    body(try Terminal(path: path, environment: ["LANG": fields.text("locale")]))
  } catch {
    emit("error \(error.code.rawValue)")
  }
}

func ask(_ fields: Fields) {
  withTerminal(fields) { terminal in
    let folder = EscapedText.bytes(percentEscaped: fields.text("folder"))
    let question = Question(
      clientName: fields.text("name", "Feed importer"),
      clientIdentifier: fields.text("client", "org.example.feed"),
      source: SourceID(kind: fields.text("source", "library"), name: nil) ?? .library,
      level: fields.text("level") == "addOnly" ? .addOnly : .readWrite,
      folder: folder.isEmpty ? nil : folder,
      usageDescription: fields.text("why", "You choose which photos to publish."),
      changes: fields.text("changes").split(separator: ",")
        .compactMap { AnswerBinding.Change(rawValue: String($0)) },
      earlierStatus: AuthorizationStatus(name: fields.text("earlier")),
      mayLimit: fields.text("mayLimit", "1") == "1"
    )
    for _ in 0..<fields.number("times", 1) {
      emit(Prompt.ask(question, on: terminal, timeout: fields.number("timeout", 60)).rawValue)
    }
  }
}

func pick(_ fields: Fields) {
  withTerminal(fields) { terminal in
    do {
      let folder = try FileSystem.openPath(EscapedText.bytes(percentEscaped: fields.text("folder")))
      let request = PickerRequest(
        folder: folder,
        clientName: fields.text("name", "Feed importer"),
        pick: PickRequest(
          limit: fields.number("limit", 1),
          filter: Set(
            fields.text("filter").split(separator: ",").compactMap { PickFilter(rawValue: "\($0)") }
          ),
          sort: PickOrder(rawValue: fields.text("sort")) ?? .name
        ),
        crossMounts: fields.text("crossMounts") == "1"
      )
      let lie = fields.text("lie")
      let paths =
        lie.isEmpty
        ? try Picker.pick(request, on: terminal)
        : try Picker.pick(request, on: terminal, arguments: ["lying-picker", lie])
      for path in paths { emit(path.text) }
      emit("picked \(paths.count)")
    } catch let error as ConsentError {
      emit("error \(error.code.rawValue)")
    } catch {
      emit("error \(error)")
    }
  }
}

/// Asks on a page about a source without a folder, and says the answer.
func page(_ fields: Fields) {
  do {
    let page = try AskingPage(at: .loopback, idleSeconds: fields.number("idle", 60)) { line in
      let bytes = Array((line + "\n").utf8)
      _ = write(STDERR_FILENO, bytes, bytes.count)
    }
    let question = Question(
      clientName: "Feed importer",
      clientIdentifier: "org.example.feed",
      source: .library,
      level: .addOnly,
      folder: nil,
      usageDescription: "You choose which photos to publish.",
      mayLimit: false
    )
    emit("\(try page.ask(question, picking: nil, Asker.Circumstances()).answer)")
  } catch {
    emit("error \(error.code.rawValue)")
  }
}
