import APIClient

/// An answer that has come.
struct EditHeardAnswer {
    let shipment: EditShipment
    /// When it came, on the clock of the run.
    let time: Int64
    /// It was a success that says no.
    let isRefusal: Bool
    /// The row that it shows with its mark.
    let marked: Int?
}

/// What follows from an answer: no operation is sent again that was answered with yes.
extension EditWorld {
    /// syncd hears the answer, unless it dies before it writes that down.
    func noteAnswer(_ answer: HTTPResponse, to shipment: EditShipment, _ manner: EditManner) {
        guard (200..<300).contains(answer.status) else { return }
        let body = String(decoding: answer.body, as: UTF8.self)
        // What is sent again was heard before, and nobody has looked since.
        if let earlier = heard[shipment.operation.sequence] { take(earlier) }
        heard[shipment.operation.sequence] = EditHeardAnswer(
            shipment: shipment, time: now,
            isRefusal: manner.shape == .refusal || body.contains("errors"),
            marked: body.contains("\"mark\":\"")
                ? answeredInstances[shipment.operation.row]?.instance : nil)
    }

    /// Answers that syncd has written down: their operations are under way no more.
    func noteHeard(_ image: EditImage) {
        for (sequence, answer) in heard.sorted(by: { $0.key < $1.key }) {
            let isUnderWay = image.operations.contains {
                $0.sequence == sequence && $0.state == "sending"
                    && $0.attempts == answer.shipment.operation.attempts
            }
            guard !isUnderWay else { continue }
            heard[sequence] = nil
            take(answer)
        }
    }

    private func take(_ answer: EditHeardAnswer) {
        let shipment = answer.shipment
        let operation = shipment.operation
        for edit in shipment.edits.values {
            ledger.change(edit) {
                $0.isRefused = $0.isRefused || answer.isRefusal
                $0.isAcknowledged = !answer.isRefusal
                $0.wasAcknowledged = $0.wasAcknowledged || !answer.isRefusal
            }
        }
        if answer.isRefusal {
            ledger.refusedRows.insert(operation.row)
            return
        }
        if let marked = answer.marked { noteMarks(of: [marked]) }
        ledger.answered[operation.row] = answer.time
        ledger.acknowledged.insert(operation.sequence)
        if operation.kind == "delete" { ledger.deletes.insert(operation.row) }
        if operation.kind == "create" { ledger.creates[operation.row] = answer.time }
    }

    /// An operation is not sent again after a yes.
    func checkFirst(_ operation: EditImage.Operation) {
        guard ledger.acknowledged.contains(operation.sequence) else { return }
        blame("SENT_AGAIN: the \(operation.kind) of row \(operation.row), after a yes")
    }

    /// Nor is an edit, in another operation.
    func checkFirst(_ edits: [Int: Int], of operation: EditImage.Operation) {
        for (field, edit) in edits.sorted(by: { $0.key < $1.key }) {
            if ledger.edits[edit].isAcknowledged {
                blame(
                    "SENT_AGAIN: \(EditField.all[field].name) of row \(operation.row) ="
                        + " \(ledger.edits[edit].value ?? "NULL"), after a yes")
            }
            ledger.change(edit) { $0.isEchoed = false }
        }
    }
}
