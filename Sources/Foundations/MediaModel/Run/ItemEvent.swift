/// An item of a batch whose files have their final names and are on the disk, with its outcome.
@dynamicMemberLookup
package struct ItemEvent: Sendable, Hashable {
  package var details: Outcome
  /// The label of the asset that holds its content.
  package var label: String?

  package init(_ details: Outcome, label: String?) {
    self.details = details
    self.label = label
  }

  package subscript<Value>(dynamicMember value: KeyPath<Outcome, Value>) -> Value {
    details[keyPath: value]
  }
}
