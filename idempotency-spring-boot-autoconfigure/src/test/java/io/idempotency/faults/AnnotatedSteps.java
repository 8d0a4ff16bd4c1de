package io.idempotency.faults;

import io.idempotency.annotation.IdempotentStep;
import java.util.function.BinaryOperator;

/** A step of a {@link Workflow} as an annotated method. */
class AnnotatedSteps {

    static final String CREATE_ACCOUNT = "create_account";

    private final BinaryOperator<String> work;

    private final BinaryOperator<String> transactionalWork;

    /**
     * @param work is given the key of the workflow and the name of the step
     * @param transactionalWork the same
     */
    AnnotatedSteps(BinaryOperator<String> work, BinaryOperator<String> transactionalWork) {
        this.work = work;
        this.transactionalWork = transactionalWork;
    }

    @IdempotentStep(CREATE_ACCOUNT)
    public String createAccount(String workflow) {
        return work.apply(workflow, CREATE_ACCOUNT);
    }

    @IdempotentStep(name = CREATE_ACCOUNT, transactional = true)
    public String createAccountInTransaction(String workflow) {
        return transactionalWork.apply(workflow, CREATE_ACCOUNT);
    }
}
