package import MediaFileSystem
package import MediaModel
package import MediaPicking

/// Pictures of a library that look alike, for a person to decide about.
package struct SimilarQuestion: Sendable {
  /// The groups, with what a person reads of them.
  package var groups: [PictureGroup]
  /// The file of each picture of all groups, in their order, by which a page shows it: below the library.
  package var files: [ItemPath]
  /// The library's folder, opened as a place.
  package var library: Descriptor
  /// The command that asks again, as words of a shell.
  package var command: String

  package init(_ groups: [PictureGroup], files: [ItemPath], in library: Descriptor, command: String) {
    (self.groups, self.files, self.library, self.command) = (groups, files, library, command)
  }
}

extension AskingPage {
  /// Shows groups of pictures, and waits until a person has decided about them.
  ///
  /// - Returns: What was decided; nothing of groups that stay as they are, and nothing at all after "Not now".
  /// - Throws: As ``ask(_:picking:_:)``. Nothing is decided then.
  package func decide(about question: SimilarQuestion) throws(ConsentError) -> [GroupAnswer] {
    var task = PageTask()
    (task.token, task.authority, task.idleSeconds) = (token, authority, idleSeconds)
    task.manifest = question.command
    task.groups = question.groups
    task.showsPictures = true
    task.choices = [.decide, .later]
    var request = PickerRequest(folder: question.library, clientName: "", showsPictures: true)
    request.files = question.files
    let reply = try show(task, request)
    token = PageTask.makeToken()
    switch reply.answer {
    case .canceled: return []
    case .decided(let answers):
      guard answers.allSatisfy({ $0.fits(question.groups) }),
        Set(answers.map(\.group)).count == answers.count
      else { throw ConsentError(.pickerAnswer) }
      return answers
    case .interrupted: throw ConsentError(.interrupted)
    case .failed(let code): throw ConsentError(code)
    case .allowed, .denied, .kept, .picked, .skipped, .each, .sources: throw ConsentError(.pickerAnswer)
    }
  }
}
