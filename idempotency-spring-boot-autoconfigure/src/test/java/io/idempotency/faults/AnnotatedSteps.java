package io.idempotency.faults;

import io.idempotency.annotation.IdempotentStep;
import java.util.function.BinaryOperator;

/** A step of a {@link Workflow} as annotated methods of beans. */
final class AnnotatedSteps {

    static final String CREATE_ACCOUNT = "create_account";

    private AnnotatedSteps() {}

    static class Plain {

        private final BinaryOperator<String> work;

        /** @param work is given the key of the workflow and the name of the step */
        Plain(BinaryOperator<String> work) {
            this.work = work;
        }

        @IdempotentStep(CREATE_ACCOUNT)
        public String createAccount(String workflow) {
            return work.apply(workflow, CREATE_ACCOUNT);
        }
    }

    /** Stops the start of an application whose records are not in its database. */
    static class Transactional {

        private final BinaryOperator<String> work;

        /** @param work is given the key of the workflow and the name of the step */
        Transactional(BinaryOperator<String> work) {
            this.work = work;
        }

        @IdempotentStep(name = CREATE_ACCOUNT, transactional = true)
        public String createAccount(String workflow) {
            return work.apply(workflow, CREATE_ACCOUNT);
        }
    }
}
